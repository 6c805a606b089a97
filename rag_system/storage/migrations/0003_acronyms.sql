-- Acronyms that documents define: «Compensación por Tiempo de Servicios (CTS)».
CREATE TABLE acronyms (
    project_id  text NOT NULL,
    acronym     text COLLATE "C" NOT NULL,  -- lower case, without accents
    document_id uuid NOT NULL,
    long_form   text NOT NULL,
    PRIMARY KEY (project_id, acronym, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX acronyms_document ON acronyms (project_id, document_id);
